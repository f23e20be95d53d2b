import { showUntrusted } from '../../text/untrusted.ts'
import { addressProblemText } from '../../ui/form/typed-address.ts'
import { Row, Rows } from '../../ui/section.tsx'
import { type LeftOutLine, MAX_NAME, MAX_NAMES } from './names-table.ts'
import { text } from './text.ts'

const SHOWN = 100

/** Lists the lines of a table that are not imported, with the reason. */
export function LeftOutLines({ lines }: { lines: readonly LeftOutLine[] }) {
  if (lines.length === 0) return null
  return (
    <div data-left-out={lines.length}>
      <p>{text('import.names.lines', { count: lines.length })}</p>
      <Rows label={text('import.leftOut')}>
        {lines.slice(0, SHOWN).map((left) => (
          <Row key={left.line}>
            <p className="wrap-anywhere">
              {text('import.names.line', { line: left.line })} {reasonOf(left)}
            </p>
          </Row>
        ))}
      </Rows>
      {lines.length > SHOWN && <p>{text('import.names.lines.more', { count: lines.length - SHOWN })}</p>}
    </div>
  )
}

function reasonOf(left: LeftOutLine): string {
  if (left.about === 'address') return addressProblemText(left.problem, left.typed)
  const typed = showUntrusted(left.typed, 60)
  switch (left.about) {
    case 'long':
      return text('import.names.line.long', { typed, limit: MAX_NAME })
    case 'many':
      return text('import.names.line.many', { limit: MAX_NAMES })
    case 'quotes':
    case 'empty':
      return text(`import.names.line.${left.about}`)
    default:
      return text(`import.names.line.${left.about}`, { typed })
  }
}
