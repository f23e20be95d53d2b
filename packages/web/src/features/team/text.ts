import team from '../../text/en/team.json'
import { addTexts } from '../../text/text.ts'

addTexts('team', team)

export { text } from '../../text/text.ts'
