/* Written by random.py. The names say which generator, seed and call. */
#include <stdint.h>

static const uint32_t words_default_1_0[] = {
    0xac08141b, 0xdfc5ccbe, 0x79c07a47, 0xa7f66093, 0x3f55b3f0, 0x8e76cc9d, 0xb68faa8e, 0xebed3676, 0xc1f3cfa1,
    0x095aef64, 0x24b41299, 0x0dc9abaa, 0x3f6d6908, 0xa9cc4c00};
static const uint32_t words_default_1_1[] = {
    0x3b539b4f, 0xf04a5080, 0xd17763c2, 0x5a36f3a3, 0x7d34a749, 0xa9b8bbe8, 0x7ba423d7, 0x2fb324d9, 0x6cf923fe,
    0xbadf79c3, 0xeccae2d7, 0x8175e74c, 0x19d83063, 0x95b31c34};
static const uint32_t words_default_fedcba9876543210_123456789[] = {
    0xb04c5128, 0xfd73318d, 0xe431ea16, 0xe6c678da, 0x3cca8a05, 0xd7466f2d, 0x96490c9c, 0x7b7d13e8, 0xea3415f1,
    0x077a69e4, 0xf6a12a91, 0xa6abcfb1, 0xab508d93, 0x23b8bb0c};
static const uint32_t words_second_1_0[] = {
    0xf0ee1bd5, 0xae19b223, 0x16b067ed, 0xfc0edb90, 0x0ae715b8, 0xa4ef9f6b, 0x70febc24, 0x6b312c08, 0x8467f3d2,
    0x347683dd, 0x795ec006, 0x3f4c7f2b, 0x2495f74c, 0x8890c92f};
static const uint32_t words_second_1_1[] = {
    0x92fe8c5e, 0x58a96472, 0x1fac3417, 0xadc321bc, 0xd051a733, 0xbc2160fc, 0x76f4cd50, 0x06d3ee8e, 0xa53feff5,
    0xa1413ed4, 0xaf364ab9, 0xcf4a577b, 0xc5b48527, 0xea351b46};
static const uint32_t words_second_fedcba9876543210_123456789[] = {
    0x21afd939, 0x752870dd, 0x6404e453, 0x56e239a2, 0x44521b2d, 0xefaa1404, 0xae0d8bfe, 0xd8549700, 0x6dd655e8,
    0x9d722b72, 0xa79c2660, 0xaaf37d41, 0xf2267751, 0x2e399503};
static const float normal_f32_1_0[] = {
    -0x1.cae8e60000000p-2f, 0x1.0b85260000000p-2f, -0x1.b5a5260000000p-1f, -0x1.570d680000000p-2f, 0x1.ac22e80000000p-3f,
    0x1.0ff2a40000000p+0f, -0x1.b7b19e0000000p-3f, -0x1.5e97300000000p-2f, 0x1.10b3600000000p+1f, 0x1.712b860000000p+0f,
    0x1.3370bc0000000p+1f, 0x1.1621580000000p-2f, 0x1.66db0a0000000p-3f, 0x1.c7333c0000000p-1f, 0x1.0c87f40000000p-1f,
    0x1.2fff9a0000000p-2f};
static const double normal_f64_1_0[] = {
    -0x1.6b914f6b2443ap-1, 0x1.29f2b6ca78cf5p-1, 0x1.5e54e52062a2ap-3, 0x1.76eaf47481c99p-2, 0x1.3545be1240ee5p+1,
    0x1.1c20ca5fa4a1cp-4, 0x1.3323e37a8213dp-2, 0x1.0ba2c4d48d9d2p-1, -0x1.827993beb4d3dp-2, -0x1.98b1d5abe5420p+0,
    0x1.739f22fc342e2p-1, 0x1.1bea3ca3759aap-4, 0x1.1133bd0e05304p+0, -0x1.a447a32369b91p-2, 0x1.1ec62984a042ap-1,
    0x1.f30fab62c1aa6p-2};
static const float normal_c_f32_1_0[] = {
    -0x1.447f8a0000000p-2f, 0x1.7a54a00000000p-3f, -0x1.35763a0000000p-1f, -0x1.e5263a0000000p-3f, 0x1.2ebcf60000000p-3f,
    0x1.8097a00000000p-1f, -0x1.36e9160000000p-3f, -0x1.efcf580000000p-3f, 0x1.81a8320000000p+0f, 0x1.050ae80000000p+0f,
    0x1.b2c94e0000000p+0f, 0x1.8955e80000000p-3f, 0x1.fb7f9c0000000p-4f, 0x1.41e0060000000p-1f, 0x1.7bc2a20000000p-2f,
    0x1.adeb320000000p-3f};
static const double normal_c_f64_1_0[] = {
    -0x1.0114c4d0bd821p-1, 0x1.a55cbc2bc881fp-2, 0x1.ef71984a612dbp-4, 0x1.091b5eaf565f1p-2, 0x1.b5609493bcbe7p+0,
    0x1.91d15b0b31b18p-5, 0x1.b25ca05d317ccp-3, 0x1.7a7e83ee65de3p-2, -0x1.11476e8403831p-2, -0x1.20fda31da7ef0p+0,
    0x1.06c6b3445e776p-1, 0x1.918434830215cp-5, 0x1.825dba0ae49dap-1, -0x1.292ec6bbeaa47p-2, 0x1.958f4dc77c595p-2,
    0x1.60e3ba88b3622p-2};
static const float exponential_f32_1_0[] = {
    0x1.970a1c0000000p-2f, 0x1.138d4c0000000p-3f, 0x1.7c83b60000000p-1f, 0x1.af8d3e0000000p-2f, 0x1.6590f00000000p+0f,
    0x1.2c13b00000000p-1f, 0x1.5a34ca0000000p-2f, 0x1.4e77340000000p-4f, 0x1.1c39ee0000000p-2f, 0x1.a7954a0000000p+1f,
    0x1.f13b160000000p+0f, 0x1.75f0460000000p+1f, 0x1.6531300000000p+0f, 0x1.a46bde0000000p-2f, 0x1.b001400000000p-2f,
    0x1.73ecb40000000p-3f};
static const double exponential_f64_1_0[] = {
    0x1.138d4b1235091p-3, 0x1.af8d3dfa673e0p-2, 0x1.2c13af8597484p-1, 0x1.4e7734c993d35p-4, 0x1.a7954a336f56cp+1,
    0x1.75f046096190bp+1, 0x1.a46bdef5db284p-2, 0x1.73ecb43908268p-3, 0x1.3804e2ea236b0p+0, 0x1.58774128cb2d5p+0,
    0x1.0e17f8040ec03p+1, 0x1.1031109a8545ap-2, 0x1.8556271dd8494p-1, 0x1.4eaf15e247cccp-1, 0x1.7a8d6fd837f2dp-4,
    0x1.1a3c71f75be60p-2};
