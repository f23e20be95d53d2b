import { needTexts } from '../../text/text.ts'

needTexts('bring')

export { text } from '../../text/text.ts'
