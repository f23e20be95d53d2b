import { type ComponentType, lazy } from 'react'

/** Resets the parts that could not be loaded. */
const failed = new Set<() => void>()

/** Creates a component whose code loads when it is first drawn. After a failure it fails until {@link forgetFailedParts}. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const begin = () =>
    lazy(() =>
      load().then(
        (component) => ({ default: component }),
        (error: unknown) => {
          failed.add(() => {
            Current = begin()
          })
          throw error
        },
      ),
    )
  let Current: ComponentType<Props> = begin() as unknown as ComponentType<Props>
  return (props) => <Current {...props} />
}

/** Lets the next drawing load failed parts again. Called when the person retries, not with each drawing. */
export function forgetFailedParts(): void {
  for (const renew of failed) renew()
  failed.clear()
}
