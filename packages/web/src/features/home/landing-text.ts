import landing from '../../text/en/landing.json'
import { addTexts } from '../../text/text.ts'

addTexts('landing', landing)

export { text } from '../../text/text.ts'
