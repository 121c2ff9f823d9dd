/* A plugin that contains a redial of its own. It returns that redial's name of REDIAL_DONE.
   SPDX-License-Identifier: MIT */
#include <redial.h>

const char *plugin_says(void);

const char *plugin_says(void)
{
    return redial_verdict_name(REDIAL_DONE);
}
