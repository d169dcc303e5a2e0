/** The program that makes {@code tidepool-VERSION.tar.gz} from a built checkout (decision 0023). */
package tidepool.dist;
