import '../text/safe.ts'
import { needTexts } from '../text/text.ts'

// Words of lists: titles, standings, verdicts. What the page of a transaction says besides: `text.ts`.
needTexts('titles', 'transactions', 'review')

export { text } from '../text/text.ts'
