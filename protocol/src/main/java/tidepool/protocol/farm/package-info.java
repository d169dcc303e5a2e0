/** FaRM with one-sided verbs only, recoverable: see {@code docs/protocols/farm.md}. */
package tidepool.protocol.farm;
