/** The API of browser extensions. Its functions return promises under both of its names. */
export const browser: typeof chrome = (globalThis as { browser?: typeof chrome }).browser ?? globalThis.chrome
