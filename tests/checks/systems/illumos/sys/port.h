/* port_create(3C) of illumos: uv.h includes this header, and without PORT_SOURCE_FILE no more. */
