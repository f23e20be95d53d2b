import { needTexts } from '../../text/text.ts'

// Why a review says what it says, and what a run shows. No list shows any of it.
needTexts('findings', 'reverts', 'simulation')

export type { TextPiece } from '../../text/text.ts'
export { isTextKey, text, textPieces } from '../text.ts'
