import { needTexts } from '../../text/text.ts'

needTexts('import')

export { text } from '../../text/text.ts'
