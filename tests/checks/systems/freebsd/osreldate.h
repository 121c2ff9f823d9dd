/* SPDX-License-Identifier: MIT */
/* getosreldate(3) of FreeBSD: this header defines the version of the system, which curl.h asks. */
#define __FreeBSD_version 1303001
