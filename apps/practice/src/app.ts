import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance } from 'fastify'
import { addNoticeCalls } from './api/notices.ts'
import { addSwitchCalls } from './api/switches.ts'
import { addErrors, type SiteLog } from './http/errors.ts'
import { addFaults } from './http/faults.ts'
import { addHeaders } from './http/headers.ts'
import { MAX_PICTURE_BYTES } from './http/upload.ts'
import { addVisits } from './http/visit.ts'
import { addArrivals } from './pages/arrivals.ts'
import { addFiles } from './pages/files.ts'
import { addHome } from './pages/home.ts'
import { addNewNotice } from './pages/new-notice.ts'
import { addNotice } from './pages/notice.ts'
import { addNotices } from './pages/notices.ts'
import { addPrices } from './pages/prices.ts'
import { addProfile } from './pages/profile.ts'
import { addSignIn, addSignOut } from './pages/sign-in.ts'
import type { Site } from './pages/site.ts'
import { addSwitches } from './pages/switches.ts'
import { addUseful } from './pages/useful.ts'
import { LOCALES } from './text/locale.ts'

const MAX_BODY_BYTES = 64 * 1024

function addPages(app: FastifyInstance, site: Site): void {
  addHome(app, site)
  addSignIn(app, site)
  addSignOut(app, site)
  addNotices(app, site)
  addNewNotice(app, site)
  addNotice(app, site)
  addProfile(app, site)
  addPrices(app)
  addUseful(app, site)
  addArrivals(app, site)
  addSwitches(app, site)
}

/** The site without its port, over a store that is already open. */
export async function buildSite(site: Site, log: SiteLog): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 10_000,
    http: { headersTimeout: 20_000 },
    routerOptions: { maxParamLength: 100 },
    // An address that cannot even be decoded has no page and no language.
    frameworkErrors: (_error, _request, reply) => {
      reply.hijack()
      reply.raw
        .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
        .end('The address makes no sense.')
    },
  })
  await app.register(cookie)
  await app.register(formbody, { bodyLimit: MAX_BODY_BYTES })
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 20, parts: 21, fieldSize: 32 * 1024 },
  })
  addVisits(app, site.store)
  addHeaders(app, site.closing)
  addFaults(app, site.store, site.closing)
  addErrors(app, log)

  addNoticeCalls(app, site)
  addSwitchCalls(app, site)
  await addFiles(app, site)
  for (const locale of LOCALES) {
    const prefix = locale === 'en' ? '' : `/${locale}`
    await app.register(async (pages) => addPages(pages, site), { prefix })
  }
  return app
}
