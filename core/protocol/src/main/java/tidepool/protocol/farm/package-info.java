/** FaRM with one-sided verbs only, recoverable: see {@code docs/internals/protocols/farm.md}. */
package tidepool.protocol.farm;
