/* Ends redial with one line on standard error. SPDX-License-Identifier: MIT */
#ifndef REFUSE_H
#define REFUSE_H

/* With status 2, for a command line that is wrong: what is wrong, and the rule. */
_Noreturn void refuse(const char *what, const char *rule);

/* With status 1: what can't be done. The reason is in errno. */
_Noreturn void fail(const char *what);

#endif
