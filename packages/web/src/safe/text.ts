import '../text/lists.ts'
import { needTexts } from '../text/text.ts'

// Words of reviews and proposals, beside those of lists. Why a review says so: `finding-text.ts`.
needTexts('proposal', 'review-details')

export { isTextKey, text, textPieces } from '../text/text.ts'
