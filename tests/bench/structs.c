/* A variable of the size of each public struct. nm reads the sizes, so no processor has to run it.
   SPDX-License-Identifier: MIT */
#include "redial.h"

extern char policy_bytes[], outcome_bytes[], call_bytes[], step_bytes[], env_bytes[], event_bytes[], attempt_bytes[],
            report_bytes[], budget_bytes[], gate_bytes[];

char policy_bytes[sizeof(struct redial_policy)];
char outcome_bytes[sizeof(struct redial_outcome)];
char call_bytes[sizeof(struct redial_call)];
char step_bytes[sizeof(struct redial_step)];
char env_bytes[sizeof(struct redial_env)];
char event_bytes[sizeof(struct redial_event)];
char attempt_bytes[sizeof(struct redial_attempt)];
char report_bytes[sizeof(struct redial_report)];
char budget_bytes[sizeof(struct redial_budget)];
char gate_bytes[sizeof(struct redial_gate)];
