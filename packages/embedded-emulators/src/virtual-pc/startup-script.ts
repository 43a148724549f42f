export const STARTUP_SCRIPT = 'startup.vpc'
