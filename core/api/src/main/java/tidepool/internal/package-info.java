/** Access of {@code tidepool.spi} to package-private members of {@code tidepool}. Not exported. */
package tidepool.internal;
