/** Pools that are used for very long: what they take of memory stays what it was. */
package tidepool.check.endurance;
