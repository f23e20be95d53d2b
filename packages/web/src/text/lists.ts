import './safe.ts'
import { needTexts } from './text.ts'

// Words of lists: titles, standings, verdicts. What the page of a transaction says besides: `safe/text.ts`.
needTexts('titles', 'transactions', 'review')

export { text } from './text.ts'
