//! The address of a page, and who may ask for it.

use axum::http::{HeaderMap, HeaderName, header};
use throng_core::InputError;

/// The names under which browsers of this computer reach the server. A page of another site whose name is made to lead to
/// this computer (DNS rebinding) comes with that name.
const HOSTS: [&str; 2] = ["127.0.0.1", "localhost"];
/// The port that browsers leave out.
const PORT_OF_HTTP: u16 = 80;

/// The port of a server and its token.
pub(super) struct Address {
    port: u16,
    token: String,
}

impl Address {
    /// An address with a new token.
    ///
    /// # Errors
    /// A system that gives no random numbers.
    pub fn new(port: u16) -> Result<Self, InputError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| {
            let message = format!("the system gives no random numbers: {error}");
            InputError::resource("token", message, "without a secret address, other users could see the page")
        })?;
        Ok(Self { port, token: format!("{:032x}", u128::from_le_bytes(bytes)) })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}:{}{}", HOSTS[0], self.port, self.path(""))
    }

    /// The path of a file of the page.
    pub fn path(&self, file: &str) -> String {
        format!("/{}/{file}", self.token)
    }

    /// Whether a request was meant for this server.
    pub fn is_host_of(&self, headers: &HeaderMap) -> bool {
        only(headers, &header::HOST).is_some_and(|host| self.is_ours(host))
    }

    /// Whether a connection was opened by a page of this server. Browsers let pages of every site open a WebSocket to this
    /// computer, but say of which site they are; programs that are no browsers say nothing.
    pub fn is_origin_of(&self, headers: &HeaderMap) -> bool {
        let origin = only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        origin.is_some_and(|host| self.is_ours(host))
    }

    fn is_ours(&self, host: &str) -> bool {
        HOSTS.iter().any(|ours| {
            host.eq_ignore_ascii_case(&format!("{ours}:{}", self.port))
                || (self.port == PORT_OF_HTTP && host.eq_ignore_ascii_case(ours))
        })
    }
}

/// The value of a header that is there exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn tokens_are_random_and_long() {
        let [one, two] = [0; 2].map(|_| Address::new(80).unwrap());
        assert_ne!(one.token, two.token);
        assert_eq!(one.token.len(), 32);
        assert_eq!(one.url(), format!("http://127.0.0.1:80/{}/", one.token));
    }

    #[test]
    fn only_names_of_this_computer_are_ours() {
        let address = Address::new(8080).unwrap();
        for ours in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080"] {
            assert!(address.is_host_of(&headers(&header::HOST, &[ours])), "{ours}");
            assert!(address.is_origin_of(&headers(&header::ORIGIN, &[&format!("http://{ours}")])), "{ours}");
            assert!(!address.is_origin_of(&headers(&header::ORIGIN, &[&format!("https://{ours}")])), "{ours}");
        }
        for other in ["localhost", "127.0.0.1:8081", "localhost.example:8080", "[::1]:8080", "0.0.0.0:8080", ""] {
            assert!(!address.is_host_of(&headers(&header::HOST, &[other])), "{other}");
        }
        assert!(!address.is_host_of(&HeaderMap::new()));
        assert!(!address.is_host_of(&headers(&header::HOST, &["localhost:8080", "localhost:8080"])));
        assert!(!address.is_origin_of(&headers(&header::ORIGIN, &["null"])));
        assert!(Address::new(80).unwrap().is_host_of(&headers(&header::HOST, &["localhost"])));
    }
}
