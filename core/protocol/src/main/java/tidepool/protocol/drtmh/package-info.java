/** DrTM+H with one-sided verbs only, recoverable: see {@code docs/internals/protocols/drtmh.md}. */
package tidepool.protocol.drtmh;
