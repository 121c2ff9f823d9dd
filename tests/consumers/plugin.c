/* A plugin that contains a redial of its own. SPDX-License-Identifier: MIT */
#include <redial.h>

const char *plugin_says(void);

const char *plugin_says(void)
{
    return redial_verdict_name(REDIAL_DONE);
}
