/*
 * model.c - a small model: built as a tree, saved, loaded, brought to a device without f64, and used there.
 *
 * Output:
 * two layers: 5 arrays
 * ash.vector f64[2] cpu:0 [ 0.0 9.75]
 * ash_tree_adapt: layers.0.bias: cpu:0?f64=off does not support f64 values; use f32
 * ash.vector f32[2] cpu:0?f64=off [ 0.0 9.75]
 * inputs: ash.vector i64[2] cpu:0 [2 0]
 * layers.0.bias: ash.vector f32[2] cpu:0 [0.0 1.0]
 * layers.0.weight: ash.matrix f32[2×2] row-major cpu:0 [[ 1.0  0.5] [-1.0  2.0]]
 * layers.1.bias: ash.vector f32[2] cpu:0 [0.25 -2.0]
 * layers.1.weight: ash.matrix f32[2×2] row-major cpu:0 [[ 1.0 -1.0] [ 0.5  2.0]]
 * name: "two layers"
 * scale: 0.5
 */
#include <ashlar/ashlar.h>

static ash_tree *layer(const ash_array *weight, const ash_array *bias)
{
    ash_tree *t = ash_tree_new();
    ash_tree_put(t, "weight", weight);
    ash_tree_put(t, "bias", bias);
    return t;
}

static ash_tree *model(void)
{
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new(), *layers = ash_tree_new();
    ash_array *first = ash_from_rows(ASH_ROWS(ASH_ROW(double, 1, 0.5), ASH_ROW(double, -1, 2)));
    ash_tree_push(layers, layer(first, ash_f64(0, 1)));
    ash_tree_push(layers, layer(ash_transpose(first), ash_f64(0.25, -2)));
    ash_tree_put(t, "layers", layers);
    ash_tree_put(t, "inputs", ash_i64(2, 0)); /* which numbers of a sample the model looks at */
    ash_tree_put(t, "scale", 0.5);
    ash_tree_put(t, "name", "two layers");
    return ash_tree_keep(scope, t); /* its arrays stay with it */
}

/* max(0, weight x + bias), in one pass and one more. */
static ash_array *through(const ash_tree *t, const char *weight, const char *bias, const ash_array *x)
{
    ash_array *product =
        ash_map_reduce_with("(w, x) -> w*x", "+", ASH_OPERANDS(ash_tree_get(t, weight), x), .axes = ASH_AXES(1), .drop = true);
    return ash_map("(p, b) -> max(p + b, 0)", product, ash_tree_get(t, bias));
}

static ash_array *answer(const ash_tree *t, const ash_array *sample)
{
    ASH_SCOPE(scope);
    ash_array *x = ash_take(sample, ash_tree_get(t, "inputs"));
    x = through(t, "layers.0.weight", "layers.0.bias", x);
    x = through(t, "layers.1.weight", "layers.1.bias", x);
    return ash_keep(scope, x);
}

int main(void)
{
    ASH_SCOPE(scope);
    static const char path[] = "model.safetensors", narrow_path[] = "model-f32.safetensors";
    static const ash_target weak = ASH_TARGET(.device = "cpu:0?f64=off");

    ash_save_safetensors(model(), path);
    ash_tree *loaded = ash_load_safetensors(path); /* a name for each array: "layers.0.weight" */
    printf("%s: %d arrays\n", ash_tree_get_text(loaded, "name"), (int)ash_tree_arrays(loaded));
    ash_print(answer(loaded, ash_f64(3, 1, 2)));

    if (!ash_tree_adapt(loaded, .like = &weak)) /* all or nothing; what is missing is said of the leaf */
        printf("%s\n", ash_error_text());
    ash_tree *narrow = ash_tree_adapt(loaded, .rule = ASH_F64_TO_F32, .like = &weak); /* index arrays stay i64 */
    ash_print(answer(narrow, ash_adapt(ash_f32(3, 1, 2), .like = &weak)));

    ash_save_safetensors(narrow, narrow_path);
    const ash_tree *again = ash_load_safetensors(narrow_path);
    for (int64_t i = 0; i < ash_tree_count(again); i++) { /* ash_tree_print(again) prints all of it on one line */
        printf("%s: ", ash_tree_name(again, i));
        ash_tree_print(ash_tree_at(again, i));
    }
    remove(path);
    remove(narrow_path);
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
