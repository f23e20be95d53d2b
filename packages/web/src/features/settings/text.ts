import '../../text/safe.ts'
import { needTexts } from '../../text/text.ts'

// Texts of what can be changed. Health is shown at home, too.
needTexts('settings')

export { text } from '../../text/text.ts'
