import { type ReactNode, useId } from 'react'

/** One fact of a story: what it is about at the left, the fact at the right; one above the other where it is narrow. */
export function StoryRow({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-4 gap-y-0.5 border-b border-rule py-2.5 sm:grid-cols-[7rem_minmax(0,1fr)] sm:py-3"
    >
      <h2 id={id} className="label leading-[1.375rem]">
        {title}
      </h2>
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </section>
  )
}
