import '../../text/lists.ts'
import { needTexts } from '../../text/text.ts'

// A filter says of an amount what a proposal says of it. Why a review says so, no history does.
needTexts('history', 'proposal')

export { text } from '../../text/text.ts'
