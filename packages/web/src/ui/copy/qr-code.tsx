import { useMemo } from 'react'
import { encode } from 'uqr'

/** Modules of white around it that the specification asks for. */
const QUIET_ZONE = 4

/** A QR code. Always dark on white, whatever the theme: many scanners read nothing else. */
export function QrCode({ value, label }: { value: string; label: string }) {
  // From a screen nothing is torn or stained: M, or more where it fits into the same size.
  const { size, data } = useMemo(() => encode(value, { ecc: 'M', boostEcc: true, border: 0 }), [value])
  const side = size + 2 * QUIET_ZONE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="block h-auto w-full max-w-80 rounded-sheet border border-rule"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={side} height={side} fill="#ffffff" />
      <path d={data.map(drawRow).join('')} fill="#000000" />
    </svg>
  )
}

/** One rectangle for each run of dark modules. */
function drawRow(row: boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    const start = x
    while (row[x + 1]) x++
    const width = x - start + 1
    path += `M${start} ${y}h${width}v1h-${width}z`
  }
  return path
}
