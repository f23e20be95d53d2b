/** The built-in devnet: the one chain on which the Demo wallet signs. */
export const DEVNET_CHAIN_ID = 31337
