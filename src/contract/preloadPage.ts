/**
 * The agreements of main and the preload page besides the schema. The page is given the names of
 * the schema's channels as an argument of its process, so that it carries neither a second list of
 * them nor the validators.
 */
export const CHANNELS_ARGUMENT = '--stowage-channels='

/**
 * The channel on which the preload page hands over what was dropped. It is in no schema: the window
 * cannot name it.
 */
export const DROP_CHANNEL = 'preload.dropped'
