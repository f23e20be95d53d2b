const colours = ['#17533f', '#7a4a12', '#5b2a4d', '#27476b', '#6b5a16', '#4a3a2e', '#2f5d62', '#74372b']

/** A mirrored pattern drawn from the address, the same on every screen. It helps to recognise; it proves nothing. */
export function Avatar({ address, size = 28 }: { address: string; size?: number }) {
  const digits = [...address.slice(2).toLowerCase()].map((digit) => Number.parseInt(digit, 16) || 0)
  const colour = colours[((digits[38] ?? 0) * 16 + (digits[39] ?? 0)) % colours.length]
  const cells: [number, number][] = []
  for (let row = 0; row < 5; row++)
    for (let column = 0; column < 3; column++)
      if (((digits[row * 6 + column * 2] ?? 0) ^ (digits[row * 6 + column * 2 + 1] ?? 0)) % 2 === 1) {
        cells.push([column, row])
        if (column < 2) cells.push([4 - column, row])
      }
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 7 7" className="shrink-0 rounded-control">
      <rect width="7" height="7" fill={colour} />
      {cells.map(([x, y]) => (
        <rect key={`${x}-${y}`} x={x + 1} y={y + 1} width="1.02" height="1.02" fill="#f7f4ec" />
      ))}
    </svg>
  )
}
