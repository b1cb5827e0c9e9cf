/* runs.h - the texts that operations make for a GPU, without a device. */
#ifndef RUNS_H
#define RUNS_H

/* Writes FOLDER/run-OPERATION-k.cl for each text that an operation makes. Not 0, and a word on stderr, where that fails. */
int write_runs(const char *folder);
#endif
