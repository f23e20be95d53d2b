/** How much of something is done, in percent. The words beside it say the same. */
export function Progress({ percent, label }: { percent: number; label: string }) {
  return (
    <progress
      aria-label={label}
      max={100}
      value={percent}
      className="block h-1.5 w-full max-w-sm appearance-none border border-rule-strong bg-sunk accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunk [&::-webkit-progress-value]:bg-accent"
    />
  )
}
