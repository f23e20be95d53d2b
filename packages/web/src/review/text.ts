import '../text/safe.ts'
import { needTexts } from '../text/text.ts'

// Words of lists and of reviews. Why a review says so: `finding-text.ts`.
needTexts('titles', 'transactions', 'review')

export { isTextKey, text, textPieces } from '../text/text.ts'
