// For pages that ask the wallet for something, or write: the first page does neither, and has none of it.
export { askWalletForBlockHash, readNamingWallet, useNamingWallet, useWalletElsewhere } from './session/block-hash.ts'
export { type ChosenFees, type Replacement, type Signer, useSigner } from './session/signer.ts'
export { Writing, WritingForm } from './session/writing.tsx'
