/** The version of this build, the same as in package.json (a test compares them). */
export const APP_VERSION = '0.2.0'
