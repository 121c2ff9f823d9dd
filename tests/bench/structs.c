/* A variable of the size of each struct that README.md or the table of tests/bench/run gives. nm reads the sizes, so no
   processor has to run it. SPDX-License-Identifier: MIT */
#include "redial.h"

extern char policy_bytes[], call_bytes[], budget_bytes[], gate_bytes[];

char policy_bytes[sizeof(struct redial_policy)];
char call_bytes[sizeof(struct redial_call)];
char budget_bytes[sizeof(struct redial_budget)];
char gate_bytes[sizeof(struct redial_gate)];
