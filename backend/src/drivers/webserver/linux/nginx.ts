import { isHostname } from '../../../base/hostname.ts';
import type { SiteHostname, SiteRef, WantedSite } from '../port.ts';
import { certificatePaths } from './certificate-files.ts';
import { absentStep, fileStep } from './files.ts';
import type { Host } from './host.ts';
import { phpSocket } from './php.ts';
import { PlanRefused, type Step } from './plan.ts';
import { siteDirectory, uploadDirectory } from './storage.ts';

export const siteConfiguration = ({ settings }: Host, { username }: Pick<SiteRef, 'username'>) =>
  `${settings.etc}/nginx/sites/${username}.conf`;
export const logDirectory = ({ settings }: Host, { username }: Pick<SiteRef, 'username'>) =>
  `${settings.log}/${username}`;

function listen({ settings }: Host, options: { tls: boolean; isDefault?: boolean }): string {
  const port = options.tls ? settings.https.port : settings.http.port;
  return settings.http.addresses
    .map((address) => {
      const family = address.includes(':') ? `[${address}]` : address;
      const only = address.includes(':') && options.isDefault === true ? ' ipv6only=on' : '';
      return `  listen ${family}:${port}${options.isDefault === true ? ' default_server' : ''}${options.tls ? ' ssl http2' : ''}${only};`;
    })
    .join('\n');
}

/** What nginx is told about the host: unknown names get no answer at all, and no certificate. */
export function mainText(host: Host): string {
  const { settings } = host;
  return `# Made by Hostkeep. Changes are lost.
user ${settings.webUser};
worker_processes auto;
worker_rlimit_nofile 65536;
pid ${settings.run}/nginx.pid;
error_log ${settings.log}/nginx.log error;
events { worker_connections 8192; }
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  server_tokens off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 15s;
  client_max_body_size 256m;
  server_names_hash_max_size 65536;
  # Room for the longest name that there may be (RFC 1035): too little, and nginx takes none of its configuration.
  server_names_hash_bucket_size 512;
  client_body_temp_path ${settings.spool}/nginx-body;
  fastcgi_temp_path ${settings.spool}/nginx-fastcgi;
  proxy_temp_path ${settings.spool}/nginx-proxy;
  scgi_temp_path ${settings.spool}/nginx-scgi;
  uwsgi_temp_path ${settings.spool}/nginx-uwsgi;
  log_format site '[$time_iso8601] $remote_addr - $remote_user "$request" $status $bytes_sent "$http_referer" "$http_user_agent" $host';
  access_log off;
  fastcgi_max_temp_file_size 0;
  limit_conn_zone $site zone=site:10m;
  limit_conn_status 503;
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:tls:10m;
  ssl_session_tickets off;
  server {
${listen(host, { tls: false, isDefault: true })}
    set $site '';
    return 444;
  }
  server {
${listen(host, { tls: true, isDefault: true })}
    ssl_reject_handshake on;
    return 444;
  }
  include ${settings.etc}/nginx/sites/*.conf;
}
`;
}

export const SUSPENDED_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Not available</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}</style>
<h1>This website is not available at the moment</h1>
<p>Its owner finds out more in the customer area of the provider.</p>
<p lang="de">Diese Website ist zurzeit nicht erreichbar. Der Inhaber erfährt mehr im Kundenbereich des Anbieters.</p>
</html>
`;

function challenge({ settings }: Host): string {
  return `  location ^~ /.well-known/acme-challenge/ {
    root ${settings.etc}/acme;
    default_type text/plain;
    disable_symlinks on;
    access_log off;
  }`;
}

/** Of one site at a time: what is left of the workers' is for the others. */
const CONNECTIONS = 256;

function served(host: Host, site: WantedSite, { documentRoot }: SiteHostname): string {
  const root = `${siteDirectory(host, site)}/${documentRoot}`;
  return `  set $site ${site.username};
  limit_conn site ${CONNECTIONS};
  client_body_temp_path ${uploadDirectory(host, site)};
  root ${root};
  index index.php index.html index.htm;
  disable_symlinks if_not_owner from=${siteDirectory(host, site)};
  access_log ${logDirectory(host, site)}/access.log site;
  error_log ${logDirectory(host, site)}/error.log warn;
  location ~ /\\.(?!well-known) { return 404; }
  location / { try_files $uri $uri/ /index.php$is_args$args; }
  location ~ \\.php$ {
    try_files $uri =404;
    include /etc/nginx/fastcgi_params;
    fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
    fastcgi_param HTTP_PROXY "";
    fastcgi_pass unix:${phpSocket(host, site)};
    fastcgi_read_timeout 130s;
  }`;
}

function suspended({ settings }: Host): string {
  return `  add_header Cache-Control no-store always;
  add_header Retry-After 3600 always;
  # By a path and not by a name: a form that is sent gets the page as well, by GET.
  error_page 503 /.hostkeep-suspended;
  location = /.hostkeep-suspended {
    internal;
    default_type text/html;
    alias ${settings.etc}/pages/suspended.html;
  }
  location / { return 503; }`;
}

/** The virtual hosts of a site: HTTPS where there is a certificate, and then HTTP leads there. */
async function siteText(
  host: Host,
  names: readonly SiteHostname[],
  content: (name: SiteHostname) => string,
): Promise<string> {
  const parts = ['# Made by Hostkeep. Changes are lost.'];
  for (const name of names) {
    if (!isHostname(name.hostname) || !/^htdocs(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/.test(name.documentRoot))
      throw new PlanRefused(`${name.hostname} cannot be served`);
    const { file } = certificatePaths(host, name.hostname);
    const tls = await host.holds(['test', '-s', file]);
    const body = content(name);
    const redirect = `  location / { return 301 https://$host${portSuffix(host)}$request_uri; }`;
    parts.push(`server {
${listen(host, { tls: false })}
  server_name ${name.hostname};
${challenge(host)}
${tls ? redirect : body}
}`);
    if (tls)
      parts.push(`server {
${listen(host, { tls: true })}
  server_name ${name.hostname};
  ssl_certificate ${file};
  ssl_certificate_key ${file};
${challenge(host)}
${body}
}`);
  }
  return `${parts.join('\n')}\n`;
}

function portSuffix({ settings }: Host): string {
  return settings.https.port === 443 ? '' : `:${settings.https.port}`;
}

/** A directory for the site's logs, which its user cannot touch. */
export function logStep(host: Host, site: SiteRef): Step {
  const path = logDirectory(host, site);
  return {
    name: 'log directory',
    isDone: () => host.holds(['test', '-d', path]),
    apply: async () =>
      void (await host.run(['install', '-d', '-g', host.settings.webUser, '-m', '0710', path])),
    undo: () => host.remove(path),
  };
}

export async function servedStep(host: Host, site: WantedSite): Promise<Step> {
  const text = await siteText(host, site.hostnames, (name) => served(host, site, name));
  return virtualHostStep(host, 'virtual hosts', site, text);
}

export async function suspendedStep(
  host: Host,
  site: SiteRef,
  names: readonly SiteHostname[],
): Promise<Step> {
  const text = await siteText(host, names, () => suspended(host));
  return virtualHostStep(host, 'suspended virtual hosts', site, text);
}

function virtualHostStep(host: Host, name: string, site: SiteRef, text: string): Step {
  const loaded = `${siteConfiguration(host, site)}.loaded`;
  const file = fileStep(host, name, siteConfiguration(host, site), text);
  return {
    ...file,
    // Written, but not loaded: a run was stopped in between.
    isDone: async () => (await file.isDone()) && (await host.read(loaded)) === text,
    async apply() {
      await file.apply();
      await host.nginx.ask();
      await host.write(loaded, text);
    },
    async undo() {
      await file.undo();
      await host.nginx.ask();
      await host.remove(loaded);
    },
  };
}

export function notServedSteps(host: Host, site: SiteRef): Step[] {
  const path = siteConfiguration(host, site);
  return [
    absentStep(host, 'no virtual hosts', path),
    absentStep(host, 'nothing loaded', `${path}.loaded`, () => host.nginx.ask()),
  ];
}
