/** What {@code tidepool.spi} needs of package-private members of {@code tidepool}. Not exported. */
package tidepool.internal;
