const GATEWAY_PATHS =
  'v1/(auth|audio|batches|cache|chat|completions|conversations|embeddings|files|images|messages|models|moderations|realtime|requests|rerank|responses|teams|TTI|usage|users)|v2/rerank|search|health'

export interface ProxyPlan {
  readonly port: number
  /** The directory for nginx's own files. */
  readonly directory: string
  /** Ports of the replicas. Each of them serves the gateway. */
  readonly replicas: readonly number[]
  /** Port of the replica that serves everything else. */
  readonly labs: number
  /** Whether each replica also serves storage. */
  readonly sharedVolumes: boolean
}

/** Returns a configuration with which nginx reads no file in /etc and writes no file in /var. */
export function nginxConfiguration({ port, directory, replicas, labs, sharedVolumes }: ProxyPlan): string {
  const quoted = (name: string) => `"${`${directory}/${name}`.replace(/["\\$]/g, '\\$&')}"`
  const sharedPaths = [GATEWAY_PATHS, ...(sharedVolumes ? ['api'] : [])]
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
pid ${quoted('nginx.pid')};
error_log stderr notice;
worker_processes 2;
worker_shutdown_timeout 10s;
events { worker_connections 4096; }

http {
${temporary.map((kind) => `  ${kind}_temp_path ${quoted(`nginx-${kind}`)};`).join('\n')}
  access_log off;
  server_tokens off;

  upstream replicas {
    zone replicas 64k;
    least_conn;
${replicas.map((replica) => `    server 127.0.0.1:${replica} max_fails=1 fail_timeout=2s;`).join('\n')}
    keepalive 64;
  }
  # A lab runs on one host, with its consoles, links and captures.
  upstream labs {
    server 127.0.0.1:${labs} max_fails=0;
    keepalive 16;
  }
  map $http_upgrade $connection_header {
    default upgrade;
    "" "";
  }

  server {
    listen 127.0.0.1:${port};
    # The replicas have limits of their own.
    client_max_body_size 0;

    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_header;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $http_host;
    # Not the one that a client sends.
    proxy_set_header X-Forwarded-Prefix "";
    proxy_pass_header Server;

    # Tokens of a stream are forwarded immediately, and no data is written to disk.
    proxy_buffering off;
    proxy_request_buffering off;

    # The gateway ends an answer after 600 seconds.
    proxy_read_timeout 660s;
    proxy_connect_timeout 2s;
    # Only a request that no replica has begun to process is sent to another one.
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries ${replicas.length};

    location / { proxy_pass http://labs; }
    location ~ ^/+(${sharedPaths.join('|')})(/|$) {
      proxy_pass http://replicas;
    }
  }
}
`
}
