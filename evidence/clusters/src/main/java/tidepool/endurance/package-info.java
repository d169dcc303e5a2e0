/** Pools that are used for very long: their memory does not grow. */
package tidepool.endurance;
