// For pages that ask the wallet for something, or write: the first page does neither, and has none of it.
export { askWalletForBlockHash, readNamingWallet, useNamingWallet, useWalletElsewhere } from './block-hash.ts'
export { type ChosenFees, type Replacement, type Signer, useSigner } from './signer.ts'
export { Writing, WritingForm } from './writing.tsx'
