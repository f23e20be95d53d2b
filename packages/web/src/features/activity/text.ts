import book from '../../text/en/book.json'
import { addTexts } from '../../text/text.ts'

addTexts('book', book)

export { isTextKey, text } from '../../text/text.ts'
