import { needTexts } from '../../text/text.ts'

needTexts('team')

export { text } from '../../text/text.ts'
