/** Names that the extension shows or sends, each defined once. */
export const productName = 'Reelmark'

/** Identifies the extension where a user allows it to use their account. */
export const clientId = 'reelmark-extension'
