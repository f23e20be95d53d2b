import {
  approvePolicy as approveEndpoint,
  discardPolicy as discardEndpoint,
  getPolicy as getEndpoint,
  proposePolicy as proposeEndpoint,
  getSpentAmounts as spentEndpoint,
  withdrawPolicyEntry as withdrawEndpoint,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { approvePolicy } from './approve.ts'
import { proposePolicy } from './propose.ts'
import { getPolicy, getSpentAmounts } from './read.ts'
import { discardPolicy, withdrawPolicyEntry } from './withdraw.ts'

export function policyRoutes(router: Router): void {
  mount(router, getEndpoint, getPolicy)
  mount(router, spentEndpoint, getSpentAmounts)
  mount(router, proposeEndpoint, proposePolicy)
  mount(router, approveEndpoint, approvePolicy)
  mount(router, withdrawEndpoint, withdrawPolicyEntry)
  mount(router, discardEndpoint, discardPolicy)
}
