import {
  createWebhook as createEndpoint,
  listDeliveries as deliveriesEndpoint,
  listWebhooks as listEndpoint,
  redeliver as redeliverEndpoint,
  removeWebhook as removeEndpoint,
  testWebhook as testEndpoint,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { createWebhook, listDeliveries, listWebhooks, redeliver, removeWebhook, testWebhook } from './webhooks.ts'

export function webhookRoutes(router: Router): void {
  mount(router, listEndpoint, listWebhooks)
  mount(router, createEndpoint, createWebhook)
  mount(router, removeEndpoint, removeWebhook)
  mount(router, testEndpoint, testWebhook)
  mount(router, deliveriesEndpoint, listDeliveries)
  mount(router, redeliverEndpoint, redeliver)
}
