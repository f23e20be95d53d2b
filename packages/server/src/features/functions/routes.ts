import { findFunctions } from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'

export function functionRoutes(router: Router): void {
  mount(router, findFunctions, async ({ functionList }, { selector }) => ({
    list: functionList && { name: functionList.name, functions: [...(functionList.bySelector.get(selector) ?? [])] },
  }))
}
