/** SOA timers, in seconds (RIPE-203, RFC 2308 for the last): a secondary serves on for two weeks. */
export const SOA_TIMERS = { refresh: 10_800, retry: 3_600, expire: 1_209_600, minimum: 900 };
