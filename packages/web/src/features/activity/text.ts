import { enBook } from '../../text/en-book.ts'
import { addTexts } from '../../text/text.ts'

addTexts('en', enBook)

export { isTextKey, text } from '../../text/text.ts'
