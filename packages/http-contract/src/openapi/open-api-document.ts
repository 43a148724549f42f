import type { JsonSchema } from '@valibot/to-json-schema'

/** An OpenAPI 3.1 document, with the fields that contracts define. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: OpenApiInfo
  /** Absent if the options name none. */
  readonly servers?: readonly OpenApiServer[]
  /** All tags of the operations, in the order of their first use. Absent without tags. */
  readonly tags?: readonly { readonly name: string }[]
  /** Operations by path, with `{name}` also for `{name+}`, and by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  /** The schemas that have a title, and the security schemes. Absent without both. */
  readonly components?: {
    readonly schemas?: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes?: Readonly<Record<string, object>>
  }
}

/** Information about an API. */
export interface OpenApiInfo {
  /** The name of the API. */
  readonly title: string
  /** The version of the API, not that of OpenAPI. */
  readonly version: string
  /** One sentence about the API. @default none */
  readonly summary?: string
  /** What the API is for, in Markdown. @default none */
  readonly description?: string
}

/** A place where an API is served. */
export interface OpenApiServer {
  /** Precedes each path, without a slash at its end. */
  readonly url: string
  /** What the place is for, in Markdown. @default none */
  readonly description?: string
}

/** Names of security schemes, each with its scopes. An empty object means that no credentials are needed. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** One operation, with OpenAPI's field names. */
export interface OpenApiOperation {
  /** Unique in the document. */
  readonly operationId: string
  /** That of the operation. Absent if it has none. */
  readonly summary?: string
  /** That of the operation. Absent if it has none. */
  readonly description?: string
  /** Those of the operation. Absent if it has none. */
  readonly tags?: readonly string[]
  /** The alternatives, one of which is enough. Absent if {@link OpenApiPart.security} defines none. */
  readonly security?: readonly SecurityRequirement[]
  /** Absent if the operation has none. */
  readonly parameters?: readonly OpenApiParameter[]
  /** Absent if the operation takes no body. `required`: its schema does not accept `undefined`. */
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent }
  /** By status. */
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

/** A parameter of the path, the query or the headers, with OpenAPI's field names. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  /** That of the parameter's schema. Absent if it has none. */
  readonly description?: string
  /** Present only with {@link explode}. */
  readonly style?: 'form'
  /** Present only for the parameter `parameters`, an object of all query parameters that have no name in the schema. */
  readonly explode?: true
  /** JSON Schema, draft 2020-12. */
  readonly schema: JsonSchema
}

/** Schemas, JSON Schema draft 2020-12, by content type. Bytes have none. */
export type OpenApiContent = Readonly<Record<string, { readonly schema?: JsonSchema }>>

/** A response, with OpenAPI's field names. */
export interface OpenApiResponse {
  readonly description: string
  /** By name. Absent if the operation describes none, and for errors. */
  readonly headers?: Readonly<Record<string, OpenApiHeader>>
  /** Absent for a response without a body. */
  readonly content?: OpenApiContent
}

/** A header of a response, with OpenAPI's field names. */
export interface OpenApiHeader {
  readonly description: string
  readonly schema: JsonSchema
}
