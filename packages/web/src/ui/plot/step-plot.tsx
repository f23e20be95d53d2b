import { type KeyboardEvent, type PointerEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatTime } from '../../text/locale.ts'
import { formatAmount } from '../amount/format-amount.ts'
import { shareOf, stepAt, ticksOf } from './plot-scale.ts'

/**
 * That of the frame, `h-50`. The drawing is taken out of the flow, and is never wider than its frame: until it is drawn
 * anew for a narrower one, it must neither hold that open nor widen the page.
 */
const HEIGHT = 200
const TOP = 10
const BOTTOM = 6
/** Room for half a mark at each end. */
const SIDE = 6
/** About as wide as a figure is drawn. */
const FIGURE = 7.5

/** From its upper end. */
const DIAMOND = 'l5 5l-5 5l-5 -5z'

/** From `at` on, in milliseconds, there was so much. A marked one is drawn with a mark of its own. */
export type Step = { at: number; value: bigint; isMarked: boolean }

/**
 * An amount that changes at moments and stays between them, over time. It is read step by step: by pointing at it, by
 * touch, or by the arrow keys; `stepText` says a step in words.
 */
export function StepPlot({
  label,
  steps,
  end,
  decimals,
  stepText,
}: {
  label: string
  /** In the order of time; at least one. */
  steps: readonly Step[]
  /** Up to when the last one lasts. */
  end: number
  decimals: number
  stepText: (step: Step) => string
}) {
  const toldId = useId()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [chosen, setChosen] = useState<number | null>(null)
  const last = steps.length - 1
  const at = Math.min(chosen ?? last, last)
  const step = steps[at]
  const start = steps[0]?.at ?? 0
  if (!step) return null

  const ticks = ticksAround(steps)
  const inner = frameOf(width, ticks, decimals)
  const choose = (index: number) => setChosen(Math.max(0, Math.min(last, index)))
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - left - inner.left) / Math.max(1, inner.right - inner.left)
    choose(stepAt(steps, start + share * (end - start)))
  }
  const press = (event: KeyboardEvent) => {
    const next = keys[event.key]?.(at, last)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <div>
      <p id={toldId} className="min-h-6 text-small font-medium tabular-nums lining-nums wrap-anywhere">
        {stepText(step)}
      </p>
      <div
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={steps.length}
        aria-valuenow={at + 1}
        aria-valuetext={stepText(step)}
        onKeyDown={press}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={() => setChosen(null)}
        className="relative mt-1 h-50 touch-pan-y"
      >
        {width > 0 && (
          <Drawing steps={steps} end={end} decimals={decimals} width={width} at={at} ticks={ticks} frame={inner} />
        )}
      </div>
      <p className="mt-1 flex justify-between gap-4 text-small text-ink-faint tabular-nums">
        <span>{formatTime(new Date(start))}</span>
        <span className="text-right">{formatTime(new Date(end))}</span>
      </p>
    </div>
  )
}

const keys: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 10,
  PageDown: (at) => at - 10,
  Home: () => 0,
  End: (_, last) => last,
}

type Frame = { left: number; right: number }

/** The axis begins at nothing: a picture that begins elsewhere makes small changes look large. */
function ticksAround(steps: readonly Step[]): bigint[] {
  const values = [0n, ...steps.map(({ value }) => value)].sort((one, other) => (one < other ? -1 : 1))
  return ticksOf(values[0] ?? 0n, values.at(-1) ?? 0n)
}

/** Where the line may be drawn: right of the figures of its axis, as far as there is room for them. */
function frameOf(width: number, ticks: readonly bigint[], decimals: number): Frame {
  const figures = Math.max(...ticks.map((tick) => formatAmount(tick, decimals).length))
  return { left: Math.min(figures * FIGURE + 2 * SIDE, width * 0.4), right: width - SIDE }
}

function Drawing({
  steps,
  end,
  decimals,
  width,
  at,
  ticks,
  frame: { left, right },
}: {
  steps: readonly Step[]
  end: number
  decimals: number
  width: number
  at: number
  ticks: readonly bigint[]
  frame: Frame
}) {
  const [floor = 0n, ceiling = 0n] = [ticks[0], ticks.at(-1)]
  const start = steps[0]?.at ?? 0
  const span = Math.max(1, end - start)
  const x = (time: number) => round(left + ((time - start) / span) * (right - left))
  const y = (value: bigint) => round(HEIGHT - BOTTOM - shareOf(value, floor, ceiling) * (HEIGHT - TOP - BOTTOM))
  const line = steps.map(
    ({ at: time, value }, index) => `${index === 0 ? 'M' : 'H'}${x(time)}${index === 0 ? ' ' : 'V'}${y(value)}`,
  )
  const path = `${line.join('')}H${x(end)}`
  const chosen = steps[at]
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="absolute top-0 left-0 max-w-full"
    >
      <path d={`${path}V${y(0n)}H${x(start)}Z`} className="fill-accent-wash" />
      {ticks.map((tick) => (
        <line
          key={tick.toString()}
          x1={left}
          x2={width}
          y1={y(tick)}
          y2={y(tick)}
          className={tick === 0n ? 'stroke-rule-strong' : 'stroke-rule'}
        />
      ))}
      {chosen && (
        <line x1={x(chosen.at)} x2={x(chosen.at)} y1={TOP} y2={HEIGHT - BOTTOM} className="stroke-ink-faint" />
      )}
      <path d={path} fill="none" strokeWidth={2} strokeLinejoin="round" className="stroke-accent" />
      {chosen && (
        <circle cx={x(chosen.at)} cy={y(chosen.value)} r={4} className="fill-accent stroke-paper" strokeWidth={2} />
      )}
      {steps.map(
        (step) =>
          step.isMarked && (
            <path
              key={`${step.at} ${step.value}`}
              d={`M${x(step.at)} ${y(step.value) - 5}${DIAMOND}`}
              className="fill-paper stroke-warning"
              strokeWidth={2}
            />
          ),
      )}
      {ticks.map((tick) => (
        <text
          key={tick.toString()}
          x={left - SIDE}
          y={y(tick) + 4}
          textAnchor="end"
          strokeWidth={3}
          className="fill-ink-faint stroke-paper text-small tabular-nums [paint-order:stroke]"
        >
          {formatAmount(tick, decimals)}
        </text>
      ))}
    </svg>
  )
}

/** Draws the mark of a step, for the words that explain it. */
export function StepMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 12 12" className="inline-block size-3 align-[-1px]">
      <path d={`M6 1${DIAMOND}`} className="fill-paper stroke-warning" strokeWidth={2} />
    </svg>
  )
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}

/** How wide an element is, as it changes. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    setWidth(current.clientWidth)
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
