import { type ComponentType, lazy } from 'react'

/** Makes anew what could not be loaded. */
const failed = new Set<() => void>()

/** A component whose code comes when it is drawn first. One that failed fails until {@link forgetFailedParts}. */
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

/** The next drawing asks for what did not come: once somebody tries again, and not with each drawing until then. */
export function forgetFailedParts(): void {
  for (const renew of failed) renew()
  failed.clear()
}
